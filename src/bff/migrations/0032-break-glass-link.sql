-- A sign-in link that works from any machine: made at the console for an admin who cannot come in otherwise.
alter table sign_in_link add column is_break_glass boolean not null default false;
