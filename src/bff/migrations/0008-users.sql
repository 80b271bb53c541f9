-- Accounts that admins make, profiles that follow their people, and a record of what changed.

alter table account
  -- A disabled account keeps its history and signs in no more.
  add column disabled_at timestamptz,
  -- What its person chose, as JSON.
  add column preferences jsonb not null default '{}',
  -- Who it is at the provider of single sign-on, once it has come from there.
  add column oidc_issuer text,
  add column oidc_subject text,
  add constraint account_oidc_whole check ((oidc_issuer is null) = (oidc_subject is null)),
  add constraint account_oidc unique (oidc_issuer, oidc_subject);

-- A one-time link by which a person sets a password: a new one takes the place of the one before.
create table password_link (
  account_id uuid primary key references account on delete cascade,
  token_hash bytea not null unique check (octet_length(token_hash) = 32),
  expires_at timestamptz not null
);

create index known_place_place on known_place (place);

alter table audit_event
  -- What the object was called at the time.
  add column object_name text,
  -- JSON as text: names may hold characters that jsonb refuses. Secrets are masked before they come here.
  add column before text,
  add column after text;
create index audit_event_actor on audit_event (actor, id);
create index audit_event_action on audit_event (action, id);
