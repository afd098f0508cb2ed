"""Launch lines, cluster manifests and configuration files of a project."""
