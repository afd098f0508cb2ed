;;; drive.el --- What a person does in Emacs, without the person  -*- lexical-binding: t; -*-
;; Open, wait for the finding, change the other file, quick fix, save. In batch mode Emacs has neither a command loop nor
;; idle time, so what depends on them is called here: the hook that connects, and the sending of changes.
(require 'package)
(package-initialize)
(require 'cl-lib)
(require 'json)
(load (getenv "DRIVE_CONFIGURATION") nil t)
(require 'eglot)
(setq make-backup-files nil auto-save-default nil create-lockfiles nil python-indent-guess-indent-offset nil)
(setq eglot-confirm-server-initiated-edits nil eglot-sync-connect 60)
(prefer-coding-system 'utf-8-unix)

(defvar drive-steps nil)
(defvar drive-first nil)
(defvar drive-menu nil)

(defun drive-wait (what ready)
  (let ((end (+ (float-time) (string-to-number (or (getenv "DRIVE_PATIENCE") "60")))))
    (while (not (funcall ready))
      (when (> (float-time) end) (error "Waited in vain for %s" what))
      (accept-process-output nil 0.05))))

(defun drive-send-changes (buffer)
  (with-current-buffer buffer (eglot--signal-textDocument/didChange)))

(defun drive-findings (buffer)
  (with-current-buffer buffer (flymake-diagnostics)))

(defun drive-open (file)
  (let ((buffer (find-file file)))
    (run-hooks 'post-command-hook) ; there `eglot-ensure' waits for the buffer to be shown
    (drive-wait "the connection" (lambda () (with-current-buffer buffer (eglot-current-server))))
    buffer))

(defun drive ()
  (let* ((target (drive-open (getenv "DRIVE_TARGET"))) other)
    (drive-wait "findings" (lambda () (drive-findings target)))
    (with-current-buffer target
      (setq drive-first
            (vconcat (mapcar (lambda (finding)
                               (save-excursion
                                 (goto-char (flymake-diagnostic-beg finding))
                                 (list :line (1- (line-number-at-pos)) :from (- (point) (line-beginning-position))
                                       :to (- (flymake-diagnostic-end finding) (line-beginning-position))
                                       :text (flymake-diagnostic-text finding))))
                             (flymake-diagnostics)))))
    (push "found" drive-steps)

    (setq other (drive-open (getenv "DRIVE_OTHER")))
    (let ((text (buffer-string)))
      (goto-char (point-min))
      (search-forward "= DistributedDataParallel")
      (delete-region (match-beginning 0) (line-end-position))
      (insert "= nn.Linear(8, 8)")
      (drive-send-changes other)
      (drive-wait "the finding to go with its cause" (lambda () (null (drive-findings target))))
      (push "gone with its cause" drive-steps)
      (delete-region (point-min) (point-max))
      (insert text)
      (drive-send-changes other)
      (drive-wait "the finding to come back" (lambda () (drive-findings target)))
      (push "back with its cause" drive-steps)
      (set-buffer-modified-p nil))

    (switch-to-buffer target)
    (goto-char (flymake-diagnostic-beg (car (flymake-diagnostics))))
    (cl-letf (((symbol-function 'completing-read)
               (lambda (_prompt choices &rest _)
                 (setq drive-menu (all-completions "" choices))
                 (or (cl-find-if (lambda (title) (string-prefix-p (getenv "DRIVE_TITLE") title)) drive-menu)
                     (error "The quick fix is not in the menu: %S" drive-menu)))))
      (let ((last-nonmenu-event ?a)) ; a key and no click, so that the menu is text
        (call-interactively #'eglot-code-actions)))
    (drive-wait "the quick fix" #'buffer-modified-p)
    (push "fixed" drive-steps)
    (drive-send-changes target)
    (drive-wait "the finding to go" (lambda () (null (drive-findings target))))
    (push "clean" drive-steps)
    (save-buffer)
    (push "saved" drive-steps)
    (ignore-errors (eglot-shutdown (eglot-current-server)))))

(let ((failure (condition-case problem (progn (drive) nil) (error (error-message-string problem)))))
  (with-temp-file (getenv "DRIVE_REPORT")
    (insert (json-encode (list :steps (vconcat (reverse drive-steps)) :first drive-first :menu (vconcat drive-menu)
                               :failure failure))))
  (kill-emacs 0))
;;; drive.el ends here
