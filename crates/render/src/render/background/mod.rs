pub(super) mod contact_shadow;
pub(super) mod cut_out;
pub(super) mod environment;
pub(super) mod gradient;
pub(super) mod ground;
