pub(super) mod file_list;
pub(super) mod panels;
pub(super) mod path_choice;
pub(super) mod question;
