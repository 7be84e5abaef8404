import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useRef, useState } from 'react'
import type { ReactNode } from 'react'

import { Button } from '../../../ui/actions/Button.tsx'
import { Checkbox } from '../../../ui/fields/Checkbox.tsx'
import { CodeBlock } from '../../../ui/facts/CodeBlock.tsx'
import { CopyButton } from '../../../ui/actions/CopyButton.tsx'
import { Dialog } from '../../../ui/overlays/Dialog.tsx'

/** A value that no screen will show again; null when it has been shown already. */
export type ShownValue = {
  /** Stands above the value. */
  readonly name: string
  /** What is copied, as written in a sentence: "signing secret". */
  readonly label: string
  readonly value: string | null
}

export type ShownOnceDialogProps = {
  readonly title: string
  readonly values: readonly ShownValue[]
  /** What to do when the value was shown before and is lost. */
  readonly lostText: string
  /** A sample that uses the values. */
  readonly sample: { readonly label: string; readonly text: string; readonly note: ReactNode }
  readonly onClose: () => void
}

/** Shows values for the only time; it closes when the operator says that they are saved. */
export function ShownOnceDialog({ title, values, lostText, sample, onClose }: ShownOnceDialogProps) {
  const isLost = values.some(({ value }) => value === null)
  const [isSaved, setSaved] = useState(isLost)
  const [isAsking, setAsking] = useState(false)
  // Not the first field, which may lie below the values on a small screen.
  const start = useRef<HTMLParagraphElement>(null)
  const leave = () => (isSaved ? onClose() : setAsking(true))
  const foot = (
    <Button kind="primary" onClick={leave}>
      <Trans>Done</Trans>
    </Button>
  )
  return (
    <Dialog title={title} size={720} initialFocus={start} onClose={leave} foot={foot}>
      <div className="flex flex-col gap-4">
        <p ref={start} tabIndex={-1} className="text-body outline-none">
          {isLost ? lostText : t`Shown only now. Keep it where your program reads its secrets.`}
        </p>
        {!isLost && (
          <>
            {values.map(({ name, label, value }) => (
              <Shown key={name} name={name} label={label} value={value ?? ''} />
            ))}
            <div className="flex flex-col gap-2">
              <p className="text-body text-muted">{sample.note}</p>
              <CodeBlock label={sample.label} text={sample.text} />
            </div>
            <div>
              <Checkbox label={t`I have saved it`} checked={isSaved} onChange={setSaved} />
              <p role="status" className="text-dense text-danger-text">
                {isAsking && !isSaved && t`Save it first, then tick the box: nobody can show it again.`}
              </p>
            </div>
          </>
        )}
      </div>
    </Dialog>
  )
}

function Shown({ name, label, value }: { name: string; label: string; value: string }) {
  return (
    <div className="flex flex-col gap-1.5">
      <span className="text-body font-medium">{name}</span>
      <div className="flex flex-wrap items-center gap-2">
        <code
          aria-label={name}
          className="min-w-0 flex-1 basis-60 rounded-control border border-border bg-sunken px-3 py-2 font-mono text-dense break-all"
        >
          {value}
        </code>
        <CopyButton label={label} value={value} withText />
      </div>
    </div>
  )
}
