import type { Device } from '@kassa/contract/devices/schemas.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { devicesQuery, openPairing, useUnpairDevice } from '../../../api/devices.ts'
import { failureOf } from '../../../api/form-failure.ts'
import { dayAndMinute } from '../../../lib/time/time.ts'
import { Button } from '../../../ui/actions/Button.tsx'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { toast } from '../../../ui/feedback/toast.ts'
import { ConfirmDialog } from '../../../ui/overlays/ConfirmDialog.tsx'
import { HealthCard } from '../health/HealthCard.tsx'
import { type Code, PairDialog } from './PairDialog.tsx'

/** Devices that fetch batches of sweeps and give them back signed: paired by a code, listed, unpaired. */
export function DevicesCard() {
  const devices = useQuery(devicesQuery)
  const [code, setCode] = useState<Code>()
  const [failure, setFailure] = useState<string>()
  const [leaving, setLeaving] = useState<Device>()
  const pair = async () => {
    setFailure(
      await failureOf(async () => {
        setCode(await openPairing())
      }),
    )
  }
  return (
    <HealthCard
      title={t`Signing devices`}
      loading={t`Loading the signing devices`}
      failed={t`The signing devices couldn’t be loaded`}
      answer={devices}
      actions={
        <Button size="small" onClick={() => void pair()}>
          <Trans>Pair a device</Trans>
        </Button>
      }
    >
      {(list) => (
        <div className="flex flex-col gap-3">
          {failure !== undefined && <Banner tone="danger">{failure}</Banner>}
          {list.length === 0 ? (
            <p className="text-body text-muted">
              <Trans>None is paired. A paired phone shows what waits for the signature of its keys.</Trans>
            </p>
          ) : (
            <ul aria-label={t`Signing devices`} className="-my-1 divide-y divide-border">
              {list.map((device) => (
                <Line key={device.id} device={device} onUnpair={() => setLeaving(device)} />
              ))}
            </ul>
          )}
          {code !== undefined && <PairDialog code={code} known={list} onClose={() => setCode(undefined)} />}
          {leaving !== undefined && <UnpairDialog device={leaving} onClose={() => setLeaving(undefined)} />}
        </div>
      )}
    </HealthCard>
  )
}

function Line({ device, onUnpair }: { device: Device; onUnpair: () => void }) {
  const { name, fingerprint, pairedBy, pairedAt, lastUsedAt } = device
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3">
      <span className="flex min-w-0 flex-col">
        <span className="font-medium wrap-anywhere">{name}</span>
        <span className="font-mono text-dense text-muted">{fingerprint}</span>
        <span className="text-dense text-muted">
          {t`Paired ${dayAndMinute(pairedAt)} by ${pairedBy.email}`} ·{' '}
          {lastUsedAt === null ? t`not used yet` : t`last used ${dayAndMinute(lastUsedAt)}`}
        </span>
      </span>
      <Button size="small" onClick={onUnpair}>
        <Trans>Unpair</Trans>
      </Button>
    </li>
  )
}

function UnpairDialog({ device: { id, name }, onClose }: { device: Device; onClose: () => void }) {
  const unpair = useUnpairDevice()
  const [failure, setFailure] = useState<string>()
  const confirm = async () => {
    const text = await failureOf(async () => {
      toast.success(await unpair(id))
      onClose()
    })
    setFailure(text)
  }
  return (
    <ConfirmDialog title={t`Unpair ${name}?`} action={t`Unpair`} onConfirm={confirm} onClose={onClose}>
      <div className="flex flex-col gap-3">
        {failure !== undefined && <Banner tone="danger">{failure}</Banner>}
        <p>{t`It sees no batch any more, and what it signs is not taken. Its seed still holds the coins.`}</p>
      </div>
    </ConfirmDialog>
  )
}
