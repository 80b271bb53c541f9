import { type UseQueryResult, useMutation, useQueryClient } from '@tanstack/react-query'
import type { MouseEvent } from 'react'
import { ActionError } from '#app/ui/action-error.tsx'
import { Button } from '#app/ui/button.tsx'
import { Icon, type IconName } from '#app/ui/icon.tsx'
import { LoadedPart } from '#app/ui/loaded-part.tsx'
import { closePopoverOf } from '#app/ui/popover.tsx'
import { Time } from '#app/ui/time.tsx'
import { Untrusted } from '#app/ui/untrusted.tsx'
import { useFollow } from '#app/ui/use-follow.ts'
import type { Inbox, InboxItem } from '#contract/bff/inbox.ts'
import { chooseDesktopNotices, useDesktopNoticeChoice } from './desktop-notices.ts'
import { readInboxMutation } from './read-inbox.ts'

const ICONS: Readonly<Record<InboxItem['kind'], IconName>> = {
  matches: 'eye',
  notice: 'info',
}

/** The newest first, and the way to have seen them all. */
export function InboxPanel({ query }: { query: UseQueryResult<Inbox> }) {
  const { data: inbox } = query
  const marking = useMutation(readInboxMutation(useQueryClient()))
  const newest = inbox?.items[0]
  return (
    <>
      <div className="flex items-center justify-between gap-2 border-line border-b py-1.5 pr-1.5 pl-3">
        <h2 className="font-semibold text-sm">Notifications</h2>
        {inbox && inbox.unread > 0 && newest && (
          <Button
            size="small"
            variant="quiet"
            icon="check"
            isBusy={marking.isPending}
            onClick={() => marking.mutate({ upTo: newest.at })}
          >
            Mark all read
          </Button>
        )}
      </div>
      <ActionError error={marking.error} not="marked" className="px-3 py-2" />
      <LoadedPart query={query} name="the notifications" heights={['h-24']} className="p-3">
        {({ items }) =>
          items.length === 0 ? (
            <p className="px-3 py-6 text-center text-muted text-sm">
              Nothing yet. New matches of your alert profiles, and problems of their messages, appear here.
            </p>
          ) : (
            <ul className="divide-y divide-line">
              {items.map((item) => (
                <Item key={item.id} item={item} onOpen={() => marking.mutate({ ids: [item.id] })} />
              ))}
            </ul>
          )
        }
      </LoadedPart>
      <DesktopNoticeChoice />
    </>
  )
}

type ItemProps = { item: InboxItem; onOpen: () => void }

function Item({ item: { kind, title, detail, path, at, isRead }, onOpen }: ItemProps) {
  const follow = useFollow()
  const open = (event: MouseEvent<HTMLAnchorElement>) => {
    if (!isRead) onOpen()
    closePopoverOf(event.currentTarget)
    follow(event)
  }
  /** The middle button opens a new tab. */
  const openTab = ({ button }: MouseEvent<HTMLAnchorElement>) => {
    if (button === 1 && !isRead) onOpen()
  }
  return (
    <li>
      <a
        href={path}
        onClick={open}
        onAuxClick={openTab}
        className="grid grid-cols-[1rem_minmax(0,1fr)_auto] gap-x-2 px-3 py-2 hover:bg-hover focus-visible:-outline-offset-2"
      >
        <Icon name={ICONS[kind]} className="mt-0.5 size-4 text-faint" />
        <span className="wrap-anywhere min-w-0">
          <span className={isRead ? 'text-muted' : 'font-medium'}>
            {!isRead && <span className="sr-only">Unread: </span>}
            <Untrusted text={title} maxLength={160} clip="silent" isProse />
          </span>
          {detail !== null && detail !== '' && (
            <span className="block text-muted text-xs">
              <Untrusted text={detail} maxLength={400} clip="silent" isProse />
            </span>
          )}
        </span>
        <span className="flex items-start gap-1.5 text-faint text-xs">
          <Time at={at} show="age" />
          {!isRead && <span aria-hidden="true" className="mt-1 size-2 rounded-full bg-accent" />}
        </span>
      </a>
    </li>
  )
}

function DesktopNoticeChoice() {
  const choice = useDesktopNoticeChoice()
  if (choice === 'not-offered') return null
  return (
    <label className="flex items-start gap-2 border-line border-t px-3 py-2.5 text-xs">
      <input
        type="checkbox"
        className="mt-0.5 size-4"
        checked={choice === 'on'}
        disabled={choice === 'blocked'}
        onChange={({ target }) => chooseDesktopNotices(target.checked)}
      />
      <span>
        Also as desktop notifications
        <span className="block text-faint">
          {choice === 'blocked'
            ? 'Your browser blocks them for this address: its settings can allow them.'
            : 'In this browser, while Lantern is open in a tab that is out of sight.'}
        </span>
      </span>
    </label>
  )
}
