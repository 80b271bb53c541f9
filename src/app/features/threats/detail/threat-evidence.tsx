import { lazy, Suspense, useState } from 'react'
import { Absent } from '../absent.tsx'
import { EvidenceTile } from './evidence-tile.tsx'
import { type ThreatPartProps, ThreatSection } from './threat-section.tsx'

// Loaded with the first picture that is revealed: few are.
const PictureViewer = lazy(async () => ({ default: (await import('./picture-viewer.tsx')).PictureViewer }))

/** The pictures that came with a post. A reload hides them again. */
export function ThreatEvidence({ threat: { evidence, redacted }, missing }: ThreatPartProps) {
  const [revealed, setRevealed] = useState<readonly number[]>([])
  const [opened, setOpened] = useState<number | null>(null)

  const pictures = revealed.flatMap((index) => {
    const picture = evidence[index]?.picture
    return picture ? [{ index, name: nameOf(index), picture }] : []
  })

  return (
    <ThreatSection
      title="Evidence"
      note={<span className="text-faint text-xs">may disturb; hidden until you reveal it</span>}
    >
      {evidence.length === 0 ? (
        <p className="px-4 py-3 text-sm">
          <Absent isWithheld={redacted.includes('evidence')} missing={missing} />
        </p>
      ) : (
        <div className="grid gap-4 p-4 sm:grid-cols-2">
          {evidence.map((each, index) => (
            <EvidenceTile
              // biome-ignore lint/suspicious/noArrayIndexKey: evidence has no identity but its place
              key={index}
              evidence={each}
              name={nameOf(index)}
              isRevealed={revealed.includes(index)}
              onReveal={() => setRevealed([...revealed, index].sort((a, b) => a - b))}
              onOpen={() => setOpened(index)}
            />
          ))}
        </div>
      )}
      {revealed.length > 0 && (
        <Suspense fallback={null}>
          <PictureViewer
            pictures={pictures}
            opened={pictures.findIndex(({ index }) => index === opened)}
            onOpen={(index) => setOpened(pictures[index]?.index ?? null)}
          />
        </Suspense>
      )}
    </ThreatSection>
  )
}

function nameOf(index: number): string {
  return `Evidence ${index + 1}`
}
