#!/bin/sh
# Installs Rigscope from this folder, or removes it again.
set -eu

usage="Usage: ./install.sh [--remove] [PREFIX]

Installs Rigscope into PREFIX/bin and PREFIX/share, or removes it from there.
Without PREFIX, root installs into /usr/local and anybody else into ~/.local."

fail() {
    echo "install.sh: $1" >&2
    exit 2
}

remove=no
prefix=
for word in "$@"; do
    case $word in
        -h | --help) echo "$usage"; exit 0 ;;
        --remove) remove=yes ;;
        -*) fail "there is no option $word; --help lists them" ;;
        *) [ -z "$prefix" ] || fail "only one PREFIX can be given"; prefix=$word ;;
    esac
done
if [ -z "$prefix" ]; then
    if [ "$(id -u)" = 0 ]; then prefix=/usr/local; else prefix=$HOME/.local; fi
fi
case $prefix in
    /*) ;;
    *) prefix=$PWD/$prefix ;;
esac
# What desktop entries and sed would read otherwise than as a name.
case $prefix in
    *[\ \"\'\\\>\<\~\|\&\;\$\*\?\#\(\)\`%]* | *"
"* | *"	"*) fail "PREFIX has a character that desktop entries cannot hold: $prefix" ;;
esac

cd "$(dirname "$0")"
[ -x bin/rigscope ] || fail "bin/rigscope is not beside install.sh; unpack the whole archive"

# Desktops keep what all installed programs say in files of their own.
update() {
    if command -v update-mime-database >/dev/null && [ -d "$prefix/share/mime/packages" ]; then update-mime-database "$prefix/share/mime" 2>/dev/null || true; fi
    if command -v update-desktop-database >/dev/null && [ -d "$prefix/share/applications" ]; then update-desktop-database -q "$prefix/share/applications" || true; fi
}

# Removes a folder of such files once no program has an entry there, then every folder that is empty.
tidy() {
    if ! ls "$prefix"/share/applications/*.desktop >/dev/null 2>&1; then rm -f "$prefix/share/applications/mimeinfo.cache"; fi
    if [ -d "$prefix/share/mime" ] && ! ls "$prefix"/share/mime/packages/*.xml >/dev/null 2>&1; then
        for name in XMLnamespaces aliases generic-icons globs globs2 icons magic mime.cache subclasses treemagic types version; do rm -f "$prefix/share/mime/$name"; done
    fi
    find bin share -depth -type d | while read -r folder; do rmdir "$prefix/$folder" 2>/dev/null || true; done
    rmdir "$prefix/share/mime/application" "$prefix/share/mime/model" "$prefix/share/mime" "$prefix/share" 2>/dev/null || true
}

if [ "$remove" = yes ]; then
    find bin share -type f | while read -r file; do rm -f "$prefix/$file"; done
    update
    tidy
    echo "Rigscope is removed from $prefix. Settings stay in ~/.local/share/rigscope."
    exit 0
fi

find bin share -type f | while read -r file; do
    mode=644
    [ "$file" != bin/rigscope ] || mode=755
    install -D -m "$mode" "$file" "$prefix/$file" || exit 1
done
# A desktop need not have PREFIX/bin on its PATH.
for entry in share/applications/rigscope.desktop share/thumbnailers/rigscope.thumbnailer; do
    sed "s|^\(Try\)\{0,1\}Exec=rigscope|\1Exec=$prefix/bin/rigscope|" "$entry" >"$prefix/$entry"
done
update
found=$(command -v rigscope || true)
echo "Rigscope is in $prefix. To remove it: $PWD/install.sh --remove $prefix"
if [ -z "$found" ]; then
    echo "The shell does not find it yet. Run this, and add it to ~/.profile: export PATH=\"$prefix/bin:\$PATH\""
elif [ "$found" != "$prefix/bin/rigscope" ]; then
    echo "The PATH finds $found first."
fi
