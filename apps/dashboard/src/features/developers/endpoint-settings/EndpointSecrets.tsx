import type { Webhook } from '@kassa/contract/webhooks/schemas.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import type { ReactNode } from 'react'

import { exactTime } from '../../../lib/time/time.ts'
import { Button } from '../../../ui/actions/Button.tsx'
import { Card } from '../../../ui/places/Card.tsx'
import { RotateDialog } from './RotateDialog.tsx'
import type { Rotatable } from './RotateDialog.tsx'
import { verifySample } from '../samples/samples.ts'
import { ShownOnceDialog } from '../samples/ShownOnceDialog.tsx'

/** The signing secret and the access key, masked; each can be made anew and is then shown once. */
export function EndpointSecrets({ webhook }: { webhook: Webhook }) {
  const [asked, setAsked] = useState<Rotatable>()
  const [made, setMade] = useState<{ readonly what: Rotatable; readonly value: string | null }>()
  const { secret, access_key: accessKey, previousSecretExpiresAt: until } = webhook
  return (
    <Card title={t`Secrets`}>
      <div className="-my-2 divide-y divide-border">
        <Secret
          name={t`Signing secret`}
          action={
            <Trans>
              Rotate<span className="sr-only"> signing secret</span>
            </Trans>
          }
          masked={secret}
          note={until === null ? undefined : beforeText(until)}
          onRotate={() => setAsked('secret')}
        />
        <Secret
          name={t`Access key`}
          action={
            <Trans>
              Rotate<span className="sr-only"> access key</span>
            </Trans>
          }
          masked={accessKey}
          note={undefined}
          onRotate={() => setAsked('access_key')}
        />
      </div>
      {asked !== undefined && (
        <RotateDialog
          webhook={webhook}
          what={asked}
          onClose={() => setAsked(undefined)}
          onRotated={(fresh) => {
            setMade({ what: asked, value: asked === 'secret' ? fresh.secret : fresh.access_key })
            setAsked(undefined)
          }}
        />
      )}
      {made !== undefined && <Made {...made} onClose={() => setMade(undefined)} />}
    </Card>
  )
}

/** Returns until when the secret before the present one is valid, in words. */
function beforeText(until: Date): string {
  const time = exactTime(until)
  return t`The one before signs too until ${time}.`
}

type SecretProps = {
  readonly name: string
  /** What the button says; names the secret for those who do not see it beside. */
  readonly action: ReactNode
  readonly masked: string | null
  readonly note: string | undefined
  readonly onRotate: () => void
}

function Secret({ name, action, masked, note, onRotate }: SecretProps) {
  return (
    <div className="flex flex-wrap items-center gap-3 py-3">
      <div className="min-w-0 flex-1">
        <p className="text-body font-medium">{name}</p>
        <p className="font-mono text-dense break-all text-muted">
          {masked ?? t({ message: 'None', comment: 'no secret' })}
        </p>
        {note !== undefined && <p className="mt-0.5 text-dense text-muted">{note}</p>}
      </div>
      <Button size="small" onClick={onRotate}>
        {action}
      </Button>
    </div>
  )
}

function Made({ what, value, onClose }: { what: Rotatable; value: string | null; onClose: () => void }) {
  const isSecret = what === 'secret'
  return (
    <ShownOnceDialog
      title={isSecret ? t`Copy the new secret now` : t`Copy the new access key now`}
      values={[
        isSecret
          ? { name: t`Signing secret`, label: t`signing secret`, value }
          : { name: t`Access key`, label: t`access key`, value },
      ]}
      lostText={t`Already shown once. Rotate again to get a new one.`}
      sample={
        isSecret
          ? {
              label: t`receiver example`,
              text: verifySample(value ?? ''),
              note: t`Give it to the receiver before the old one stops signing.`,
            }
          : {
              label: t`header example`,
              text: `API-Key: ${value ?? ''}`,
              note: t`Every message carries it from now on.`,
            }
      }
      onClose={onClose}
    />
  )
}
