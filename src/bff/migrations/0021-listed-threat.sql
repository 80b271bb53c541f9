-- Threats that a list of the vendor's has named by an id that only a list may name, where the window does not hold them.
create table listed_threat (
  -- Names the vendor's address and the keys, as in `window_reach`.
  source text not null,
  id text collate "C" not null,
  -- As JSON text, like the window's.
  threat text not null,
  listed_at timestamptz(3) not null,
  primary key (id, source)
);
create index listed_threat_oldest on listed_threat (listed_at);
