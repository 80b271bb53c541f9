-- The changes of one threat: pages with figures and each evaluation of alerts ask for them.
create index threat_change_of on threat_change (threat_id, at);

-- As all other ids of threats. An index in another collation does not serve a join with stored threats.
alter table list_match alter column threat_id type text collate "C";
alter table list_decision alter column threat_id type text collate "C";
alter table list_fault alter column threat_id type text collate "C";
