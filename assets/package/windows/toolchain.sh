#!/bin/sh
# Prepares the tools that build Rigscope for Windows on Debian: Rust with a standard library for x86_64-pc-windows-gnu, in a folder of its own.
#
#     toolchain.sh FOLDER
#
# Debian's packages of Rust for browsers are newer than its usual ones, but they exclude rustup, so they are unpacked and not installed. They
# have no standard library for Windows, so it is compiled from its sources. FOLDER/bin/cargo then builds with `--target x86_64-pc-windows-gnu`.
set -eu

TARGET=x86_64-pc-windows-gnu
[ $# = 1 ] || { echo "usage: toolchain.sh FOLDER" >&2; exit 2; }
mkdir -p "$1"
folder=$(cd "$1" && pwd)
root=$folder/root
complete=$folder/complete
[ ! -e "$complete" ] || exit 0

packages="rustc-web cargo-web libstd-rust-web-dev rust-web-src libgit2-1.5 libmbedtls14 libmbedx509-1 libmbedcrypto7 libhttp-parser2.9"
# The names of these two have the version.
packages="$packages $(apt-cache depends rustc-web libstd-rust-web-dev | sed -n 's/.*Depends: \(libstd-rust-web-[0-9].*\)/\1/p')"
library=$(apt-cache depends "$(echo "$packages" | tr ' ' '\n' | grep '^libstd-rust-web-[0-9]')" | sed -n 's/.*Depends: \(libllvm[0-9]*\)/\1/p')

rm -rf "$root" && mkdir -p "$folder/packages" "$root" "$folder/bin" "$folder/std/src"
# shellcheck disable=SC2086
(cd "$folder/packages" && rm -f ./*.deb && apt-get download -q $packages $library)
for package in "$folder"/packages/*.deb; do
    dpkg -x "$package" "$root"
done

for tool in cargo rustc rustdoc; do
    cat >"$folder/bin/$tool" <<EOF
#!/bin/sh
export LD_LIBRARY_PATH="$root/usr/lib/x86_64-linux-gnu" RUSTC="$folder/bin/rustc" RUSTDOC="$folder/bin/rustdoc"
exec "$root/usr/bin/$tool" "\$@"
EOF
    chmod +x "$folder/bin/$tool"
done

printf '[package]\nname = "empty"\nversion = "0.0.0"\nedition = "2024"\n[workspace]\n' >"$folder/std/Cargo.toml"
echo 'fn main() {}' >"$folder/std/src/main.rs"
# Building the standard library needs an option for nightly compilers; the packages need its bitcode, to optimise it together with the program.
(cd "$folder/std" && RUSTC_BOOTSTRAP=1 CARGO_TARGET_DIR="$folder/std/target" RUSTFLAGS=-Cembed-bitcode=yes \
    "$folder/bin/cargo" build -q --release -Zbuild-std=std,panic_unwind,test --target "$TARGET")
libraries=$root/usr/lib/rustlib/$TARGET/lib
mkdir -p "$libraries"
cp "$folder/std/target/$TARGET/release/deps"/*.rlib "$libraries"
rm -rf "$folder/std"
touch "$complete"
