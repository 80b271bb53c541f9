-- When a view's feed was given its address; null before this version.
alter table saved_view add column feed_opened_at timestamptz(3);

-- Whoever may make no feed any more has none.
update saved_view set feed_token_hash = null
  from account
 where account.id = account_id and (role = 'viewer' or disabled_at is not null);
