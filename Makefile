# Everything starts here: `make run` and `make test` need nothing installed by hand but Rust and make itself.

FILE ?=
PACKAGES_RUN := gcc libc6-dev libegl1 libgl1 libgl1-mesa-dri libx11-6 libx11-xcb1 libxcursor1 libxi6 libxrandr2 libxkbcommon0 libxkbcommon-x11-0 libwayland-client0 libwayland-egl1
PACKAGES_TEST := $(PACKAGES_RUN) xvfb

TESTS_WITHOUT_WINDOW := $(addprefix --test ,features golden import_valid import_malformed import_complaints info check check_pipeline compare bake convert convert_odd weights)

.PHONY: run test screenshots bench assets setup-run setup-test

## Build and open the window on the built-in character, or on FILE=path
run: setup-run
	cargo run --release --locked -- $(FILE)

## Format, lints, docs and every test; then those of a build without features
test: setup-test
	cargo fmt --check
	cargo clippy --locked --all-targets --features inspection -- -D warnings
	cargo clippy --locked --all-targets --no-default-features -- -D warnings
	cargo clippy --locked --no-default-features --features gl -- -D warnings
	RUSTDOCFLAGS="-D warnings" cargo doc --locked --no-deps --document-private-items --features inspection
	cargo test --locked --features inspection
	cargo test --locked --no-default-features --lib $(TESTS_WITHOUT_WINDOW)

## Write screenshots/ from the real program
screenshots: setup-test
	cargo build --locked --features inspection
	cargo run --locked --features inspection --example make_screenshots

## Measure the hot loops and the opening of a large file
bench: setup-run
	cargo bench --locked --bench skinning --bench animation --bench lint --bench measuring --bench picking --bench posing --bench weighting --bench opening --bench opening_fbx

## Write the built-in characters and the icon
assets: setup-run
	cargo run --release --locked --example make_assets

setup-run:
	@sh .ci/setup $(PACKAGES_RUN)

setup-test:
	@sh .ci/setup $(PACKAGES_TEST)
