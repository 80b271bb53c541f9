-- Whether Lantern's rule rated the record, since its source states no severity.
alter table threat add column is_severity_derived boolean not null default false;

-- The columns of the function's rows are those of the table.
create or replace function visible_threat(window_start timestamptz, is_redacted boolean) returns setof threat
language sql stable as $$
  select
    id,
    case when is_redacted then '' else source end,
    case when is_redacted then '' else source_id end,
    case when is_redacted
      then category || coalesce(': ' || nullif(array_to_string(threat_actors, ', '), ''), '')
      else title end,
    case when is_redacted and summary <> '' then '[redacted]' else summary end,
    case when is_redacted and excerpt <> '' then '[redacted]' else excerpt end,
    case when is_redacted and content <> '' then '[redacted]' else content end,
    category,
    severity,
    countries,
    threat_actors,
    industries,
    case when is_redacted and organizations <> '{}' then array['[redacted]'] else organizations end,
    case when is_redacted and domains <> '{}' then array['[redacted]'] else domains end,
    published_at,
    received_at,
    case when is_redacted and source_url is not null then '[redacted]' else source_url end,
    case when is_redacted then '[]' else evidence end,
    case when is_redacted and analysis is not null then jsonb_build_object(
        'summary', case when analysis ->> 'summary' = '' then '' else '[redacted]' end,
        'impact', case when analysis ->> 'impact' = '' then '' else '[redacted]' end,
        'recommendations',
        case when analysis -> 'recommendations' = '[]' then '[]'::jsonb else '["[redacted]"]'::jsonb end)
      else analysis end,
    is_demo,
    case when is_redacted then '' else search_text end,
    is_severity_derived
  from threat
  where window_start is null or published_at >= window_start
$$;
