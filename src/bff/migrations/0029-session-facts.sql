-- What people see of their own sessions, and when each was last proven to be theirs.

alter table session
  -- In plain words, such as `Firefox on Linux`.
  add column device text not null default 'Unknown browser',
  -- Where it was begun; null for one that is older than this column.
  add column address text,
  add column began_by text not null default 'password' check (began_by in ('password', 'link', 'sso')),
  -- The sign-in, or the last time that its person has proven to be there.
  add column proved_at timestamptz,
  -- What a passkey must sign, once.
  add column challenge text,
  add column challenged_at timestamptz;
update session set proved_at = created_at;
alter table session alter column proved_at set default now(), alter column proved_at set not null;
