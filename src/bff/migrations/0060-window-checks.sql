-- Which records were compared with the vendor's list, and when; and the comparison that is under way. JSON.
alter table window_reach add column checks text, add column recheck text;

alter table window_listed drop constraint window_listed_crawl_check;
alter table window_listed add constraint window_listed_crawl_check check (crawl in ('newer', 'older', 'recheck'));

-- Ids that the last comparison did not find in the vendor's list: the next one that does not find them removes them.
create table window_missed (
  id text collate "C" primary key
);
