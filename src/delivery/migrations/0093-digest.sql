-- A digest is a message of its own kind: it holds the figures, and its matches lead to the threats in it.
alter table delivery
  drop constraint delivery_kind_check,
  add constraint delivery_kind_check check (kind in ('matches', 'digest', 'test', 'notice'));
