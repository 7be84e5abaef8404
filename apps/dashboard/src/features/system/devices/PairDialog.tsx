import type { Device } from '@kassa/contract/devices/schemas.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { systemDetailsQuery } from '../../../api/site-settings.ts'
import { Button } from '../../../ui/actions/Button.tsx'
import { QRCode } from '../../../ui/facts/QRCode.tsx'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { Dialog } from '../../../ui/overlays/Dialog.tsx'
import { TimeRemaining } from '../../../ui/time/TimeRemaining.tsx'

export type Code = { readonly code: string; readonly expiresAt: Date }

type PairProps = { readonly code: Code; readonly known: readonly Device[]; readonly onClose: () => void }

/** Shows the code until a device has used it, or its time is over. */
export function PairDialog({ code: { code, expiresAt }, known, onClose }: PairProps) {
  const { data: details } = useQuery(systemDetailsQuery)
  const [before] = useState(() => new Set(known.map(({ id }) => id)))
  const paired = known.find(({ id }) => !before.has(id))
  return (
    <Dialog
      title={t`Pair a signing device`}
      onClose={onClose}
      foot={
        <Button kind="primary" onClick={onClose}>
          <Trans>Done</Trans>
        </Button>
      }
    >
      {paired ? (
        <Banner tone="success">{t`${paired.name} is paired.`}</Banner>
      ) : (
        <div className="flex flex-wrap items-start gap-6">
          {details !== undefined && details.backendServer !== '' && (
            <QRCode value={JSON.stringify({ ...details, code })} label={t`pairing this server`} size={176} />
          )}
          <div className="flex min-w-0 flex-1 basis-60 flex-col gap-2">
            <p>
              <Trans>Scan it with the device, or type this code there together with the URL of this server.</Trans>
            </p>
            <p className="font-mono text-title tracking-widest tabular-nums">{code}</p>
            <p className="text-dense text-muted">
              <Trans>
                Time left: <TimeRemaining until={expiresAt} />
              </Trans>
            </p>
          </div>
        </div>
      )}
    </Dialog>
  )
}
