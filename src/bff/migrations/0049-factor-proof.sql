-- Goes with Lanterns that know 0037.
-- When the session's person last confirmed with their second factor, at this session and not at the sign-in. Removing a
-- factor spends it.
alter table session add column factor_proved_at timestamptz;
