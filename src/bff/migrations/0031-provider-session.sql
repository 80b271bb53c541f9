-- Sessions that a provider of single sign-on has opened, so that it can end them, and a sign-out can lead there.

alter table session
  add column oidc_issuer text,
  add column oidc_subject text,
  -- What the provider calls its session, where it does.
  add column oidc_sid text,
  -- The ID token, sealed: the provider knows by it whose session a sign-out means.
  add column sealed_id_token bytea,
  add constraint session_oidc_whole check ((oidc_issuer is null) = (oidc_subject is null));
create index session_oidc on session (oidc_issuer, oidc_subject) where oidc_issuer is not null;

-- Logout tokens that were taken: each works once.
create table logout_token (
  issuer text not null,
  -- SHA-256 of its `jti`.
  jti_hash bytea not null check (octet_length(jti_hash) = 32),
  received_at timestamptz not null default now(),
  primary key (issuer, jti_hash)
);
