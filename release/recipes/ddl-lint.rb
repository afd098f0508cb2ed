# For a tap of Homebrew. `make release` fills in the address and the hash; `brew update-python-resources ddl-lint` adds the
# packages of the default installation.
class DdlLint < Formula
  include Language::Python::Virtualenv

  desc "Find faults in distributed deep-learning training code before the job starts"
  homepage "@homepage@"
  url "@url@"
  sha256 "@sha256@"
  license "MIT"

  depends_on "libyaml"
  depends_on "python@3.13"

  def install
    virtualenv_install_with_resources
  end

  test do
    (testpath/"train.py").write <<~PYTHON
      import torch.distributed as dist

      dist.init_process_group("gloo")
      if dist.get_rank() == 0:
          dist.barrier()
    PYTHON
    assert_match "collective-under-rank-guard", shell_output("#{bin}/ddl-lint check train.py", 1)
  end
end
