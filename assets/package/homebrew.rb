class Rigscope < Formula
  desc "Viewer for rigged characters that compares and measures skinning methods"
  url "@URL@"
  version "@VERSION@"
  sha256 "@SHA256@"
  license any_of: ["MIT", "Apache-2.0"]

  depends_on arch: :x86_64
  depends_on :linux

  def install
    bin.install "bin/rigscope"
    share.install Dir["share/*"]
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/rigscope --version")
    assert_match "RIG", shell_output("#{bin}/rigscope explain")
  end
end
