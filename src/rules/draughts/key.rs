//! Numbers by which positions are filed.
