import type { OwnFactors } from '@kassa/contract/auth/factor-schemas.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { KeyRound } from 'lucide-react'
import { useState } from 'react'

import { failureOf } from '../../../api/form-failure.ts'
import { useFactorChanges } from '../../../api/second-factor.ts'
import { hasPasskeys } from '../../../lib/device/passkeys.ts'
import { Button } from '../../../ui/actions/Button.tsx'
import { toast } from '../../../ui/feedback/toast.ts'
import { ConfirmDialog } from '../../../ui/overlays/ConfirmDialog.tsx'
import { Card } from '../../../ui/places/Card.tsx'
import { TimeAgo } from '../../../ui/time/TimeAgo.tsx'

type Passkey = OwnFactors['passkeys'][number]

/** The passkeys of the operator, and the way to another one. */
export function Passkeys({ own, onAdd }: { own: OwnFactors; onAdd: () => void }) {
  return (
    <Card
      title={t`Passkeys`}
      text={t`Sign in with your finger, face or PIN, without a password.`}
      actions={
        hasPasskeys() && (
          <Button onClick={onAdd}>
            <Trans>Add passkey</Trans>
          </Button>
        )
      }
    >
      {own.passkeys.length === 0 ? (
        <p className="text-body text-muted">
          {hasPasskeys() ? t`None yet.` : t`None yet. Browsers make passkeys on pages with https only.`}
        </p>
      ) : (
        <ul aria-label={t`Passkeys`} className="flex flex-col divide-y divide-border">
          {own.passkeys.map((passkey) => (
            <Row key={passkey.id} passkey={passkey} />
          ))}
        </ul>
      )}
    </Card>
  )
}

function Row({ passkey }: { passkey: Passkey }) {
  const { removePasskey } = useFactorChanges()
  const [isAsked, setAsked] = useState(false)
  const { id, name } = passkey
  const added = <TimeAgo at={passkey.createdAt} />
  const used = passkey.lastUsedAt && <TimeAgo at={passkey.lastUsedAt} />
  const remove = async () => {
    const failure = await failureOf(() => removePasskey(id))
    setAsked(false)
    if (failure === undefined) toast.success(t`Passkey removed`)
    else toast.error(failure)
  }
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3 first:pt-0 last:pb-0">
      <KeyRound aria-hidden size={20} strokeWidth={1.75} className="text-muted" />
      <div className="min-w-0 flex-1">
        <p className="text-body font-medium break-words">{name}</p>
        <p className="text-dense text-muted">
          {used === null ? (
            <Trans>added {added} · never used</Trans>
          ) : (
            <Trans>
              added {added} · last used {used}
            </Trans>
          )}
        </p>
      </div>
      <Button onClick={() => setAsked(true)} title={t`Remove ${name}`}>
        <Trans>Remove</Trans>
      </Button>
      {isAsked && (
        <ConfirmDialog
          title={t`Remove ${name}?`}
          action={t`Remove passkey`}
          onConfirm={remove}
          onClose={() => setAsked(false)}
        >
          <Trans>It signs nobody in any more, and other devices are signed out.</Trans>
        </ConfirmDialog>
      )}
    </li>
  )
}
