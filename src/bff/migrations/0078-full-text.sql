-- Content of records as it was read for their pages: lists do not carry it.
create table full_text (
  id text collate "C" primary key,
  -- As the matcher normalises it, with an upper bound on its length.
  text text not null,
  length int not null,
  read_at timestamptz(3) not null
);

-- Words that the vendor's full texts were searched for.
create table full_text_search (
  -- Words and phrases in alphabetical order, as the matcher normalises them.
  words text collate "C" primary key,
  searched_at timestamptz(3) not null,
  -- Distinct records in the pages read so far, and how many of them were not stored before.
  found int not null,
  added int not null,
  -- As the vendor reported it with the last page; null where it reported none.
  total int,
  -- Where the next page begins; null after the last one.
  next_offset int
);

-- Which records the vendor answered: their full texts hold the words.
create table full_text_match (
  id text collate "C" not null,
  words text collate "C" not null references full_text_search on delete cascade,
  primary key (id, words)
);
create index full_text_match_words on full_text_match (words);
