import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useRef } from 'react'

import { Button } from '../../../ui/actions/Button.tsx'
import { Dialog } from '../../../ui/overlays/Dialog.tsx'

export type ClashRow = { readonly label: string; readonly theirs: string; readonly yours: string }

/** The values another operator saved beside those typed here; the form keeps both and asks which to save. */
export function ClashDialog({ rows, onClose }: { rows: readonly ClashRow[]; onClose: () => void }) {
  const close = useRef<HTMLButtonElement>(null)
  return (
    <Dialog
      title={t`Someone else changed this`}
      initialFocus={close}
      onClose={onClose}
      foot={
        <Button ref={close} onClick={onClose}>
          <Trans>Back to the form</Trans>
        </Button>
      }
    >
      <p className="text-body text-muted">
        <Trans>Overwrite saves yours. Discard keeps what is saved now. Nothing else in the project is touched.</Trans>
      </p>
      <dl className="mt-4 flex flex-col gap-4">
        {rows.map(({ label, theirs, yours }) => (
          <div key={label} className="rounded-control border border-border p-3">
            <dt className="text-body font-medium">{label}</dt>
            <dd className="mt-2 grid gap-3 text-body sm:grid-cols-2">
              <Value name={t`Saved now`} text={theirs} />
              <Value
                name={t({ message: 'Yours', comment: 'what you have typed, beside what somebody else has saved' })}
                text={yours}
              />
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}

function Value({ name, text }: { name: string; text: string }) {
  return (
    <span className="min-w-0">
      <span className="block text-dense text-muted">{name}</span>
      <span className="block break-words">{text === '' ? t`Empty` : text}</span>
    </span>
  )
}
