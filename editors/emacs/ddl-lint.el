;; in ~/.emacs.d/init.el
(with-eval-after-load 'eglot
  (add-to-list 'eglot-server-programs
               '((python-mode python-ts-mode sh-mode bash-ts-mode makefile-mode) . ("ddl-lint" "server"))))
(dolist (hook '(python-mode-hook python-ts-mode-hook sh-mode-hook bash-ts-mode-hook))
  (add-hook hook #'eglot-ensure))
(add-to-list 'auto-mode-alist '("\\.\\(sbatch\\|slurm\\|pbs\\|job\\|lsf\\)\\'" . sh-mode))
