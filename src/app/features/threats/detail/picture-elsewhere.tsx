import { type ReactNode, useState } from 'react'
import { Button } from '#app/ui/button.tsx'
import { Untrusted } from '#app/ui/untrusted.tsx'
import { VisuallyHidden } from '#app/ui/visually-hidden.tsx'
import { PictureUnavailable } from './evidence-picture.tsx'

type PictureElsewhereProps = {
  /** The host that would receive the request. It is undefined for an address that is never fetched. */
  host: string | undefined
  /** `Evidence 1` */
  name: string
  /** The picture. It is null where its host is not allowed. */
  children: ReactNode
}

/** A picture on another host. It names the host that would receive the request before it sends one. */
export function PictureElsewhere({ host, name, children }: PictureElsewhereProps) {
  const [isRequested, setIsRequested] = useState(false)
  if (isRequested) {
    return (
      <div ref={takeLostFocus} className="contents">
        {children}
      </div>
    )
  }
  if (host === undefined) {
    return <PictureUnavailable>Its address is not one that Lantern fetches.</PictureUnavailable>
  }
  const hostName = <Untrusted text={host} maxLength={80} isAddress />
  if (!children) {
    return (
      <PictureUnavailable>
        <p>
          It lies with {hostName}, which Lantern may not ask. An admin who trusts that host can name it in the
          setting EVIDENCE_HOSTS.
        </p>
      </PictureUnavailable>
    )
  }
  return (
    <PictureUnavailable title="Not fetched yet">
      <p>
        It lies with {hostName}, not with the vendor. To show it, Lantern’s server asks that host, which
        learns the server’s address, the time and which picture: nothing of you.
      </p>
      <Button size="small" icon="eye" className="mt-1" onClick={() => setIsRequested(true)}>
        <span>
          Fetch it <VisuallyHidden>: {name}</VisuallyHidden>
        </span>
      </Button>
    </PictureUnavailable>
  )
}

/** The button that was pressed is gone: the focus goes on to the one in its place. */
function takeLostFocus(place: HTMLElement | null) {
  if (document.activeElement === document.body) place?.querySelector('button')?.focus({ preventScroll: true })
}
