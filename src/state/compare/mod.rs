pub(super) mod authored;
pub(super) mod comparison_files;
pub(super) mod methods;
pub(super) mod show_me;
pub(super) mod side_choice;
pub(super) mod weights;
