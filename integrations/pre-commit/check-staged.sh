#!/bin/sh
# Checks the staged rigs as they are in the index, not as they are in the working tree. Options go to `rigscope check`.
#
# Copies the staged rigs, the files next to them, all configs, and the files that configs name, from the index to a
# temporary folder, and checks the rigs there.
set -eu

root=$(git rev-parse --show-toplevel)
cd "$root"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 130' INT TERM
list="$folder/staged"
mkdir "$folder/index"

git diff --cached --name-only -z --diff-filter=d -- '*.glb' '*.gltf' '*.vrm' '*.fbx' > "$list"
[ -s "$list" ] || exit 0

checkout() {
    git checkout-index --force -z --stdin --prefix="$folder/index/"
}
checkout < "$list"
git ls-files --cached -z -- 'rigscope.toml' '*/rigscope.toml' | checkout

# A .gltf and an .fbx refer to other files. Files of formats that contain everything are not needed.
if tr '\0' '\n' < "$list" | grep -qiE '\.(gltf|fbx)$'; then
    git ls-files --cached -z -- '*.bin' '*.png' '*.jpg' '*.jpeg' '*.webp' '*.ktx2' '*.tga' '*.bmp' | checkout
fi

# Files that configs name: skeletons and profiles.
git ls-files --cached -- 'rigscope.toml' '*/rigscope.toml' | while IFS= read -r config; do
    below=$(dirname "$config")
    grep -oE '"[^"]+\.(glb|gltf|vrm|fbx|toml)"' "$folder/index/$config" | tr -d '"' | while IFS= read -r named; do
        git ls-files --cached -z -- "$below/$named" | checkout
    done
done

cd "$folder/index"
rigscope check --quiet "$@" --files-from "$list" -0
