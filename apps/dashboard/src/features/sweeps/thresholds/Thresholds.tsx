import type { Asset } from '@kassa/contract/blockchains/schemas.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { allAssetsQuery } from '../../../api/blockchains.ts'
import { formFailure } from '../../../api/form-failure.ts'
import { type AssetPatch, useChangeAsset } from '../../../api/nodes.ts'
import { asRequestError } from '../../../api/request-error.ts'
import { networkName } from '../../../labels/networks/network-name.ts'
import { useForm } from '../../../lib/forms/form.ts'
import { amountError } from '../../../lib/text/amount-text.ts'
import { Button } from '../../../ui/actions/Button.tsx'
import { AmountField } from '../../../ui/fields/AmountField.tsx'
import { NumberField } from '../../../ui/fields/NumberField.tsx'
import { Select } from '../../../ui/fields/Select.tsx'
import { LoadingText, Skeleton } from '../../../ui/feedback/Skeleton.tsx'
import { toast } from '../../../ui/feedback/toast.ts'
import { FormDialog } from '../../../ui/forms/FormDialog.tsx'
import { Dialog } from '../../../ui/overlays/Dialog.tsx'
import { EmptyState } from '../../../ui/places/EmptyState.tsx'
import { ErrorState } from '../../../ui/places/ErrorState.tsx'

/** From when on deposits of an asset are swept without anybody. */
export function Thresholds({ onClose }: { onClose: () => void }) {
  const { data, error, refetch } = useQuery(allAssetsQuery)
  const assets = data?.filter(isSwept)
  const [chosen, setChosen] = useState<string>()
  const asset = assets?.find((one) => keyOf(one) === chosen) ?? assets?.[0]
  if (assets !== undefined && asset !== undefined) {
    return <AssetForm key={keyOf(asset)} assets={assets} asset={asset} onChoose={setChosen} onClose={onClose} />
  }
  return (
    <Dialog title={t`Automatic sweeping`} onClose={onClose} foot={<Button onClick={onClose}>{t`Close`}</Button>}>
      {error !== null && (
        <ErrorState title={t`Assets couldn’t be loaded`} error={asRequestError(error)} onRetry={() => void refetch()} />
      )}
      {error === null && assets === undefined && (
        <>
          <Skeleton height={200} />
          <LoadingText />
        </>
      )}
      {assets?.length === 0 && <EmptyState title={t`No asset that can be swept is in use.`} />}
    </Dialog>
  )
}

/** Contracts sweep on networks of these families. */
function isSwept({ blockchain, visible }: Asset): boolean {
  return visible && (blockchain.family === 'ETH_Family' || blockchain.family === 'TRX_Family')
}

function keyOf({ currencyCode, blockchainCode }: Asset): string {
  return `${currencyCode}.${blockchainCode}`
}

type FormProps = {
  readonly assets: readonly Asset[]
  readonly asset: Asset
  readonly onChoose: (key: string) => void
  readonly onClose: () => void
}

const MOST_ADDRESSES = 500
const A_WEEK_MINUTES = 10_080

/** The fields of B11 that say when a sweep starts automatically; an empty amount is the default. */
function AssetForm({ assets, asset, onChoose, onClose }: FormProps) {
  const change = useChangeAsset()
  const [failure, setFailure] = useState<string>()
  const { currencyCode, walletPrecision } = asset
  const initial = {
    minBalanceForSweep: asset.minBalanceForSweep ?? '',
    minAmountInSweepTx: asset.minAmountInSweepTx ?? '',
    sweepBatchSize: String(asset.sweepBatchSize),
    sweepMaxWaitTimeInMinutes: String(asset.sweepMaxWaitTimeInMinutes),
  }
  const form = useForm({
    initial,
    validate: (values) => {
      const errors = {
        minBalanceForSweep: amountError(values.minBalanceForSweep, walletPrecision),
        minAmountInSweepTx: amountError(values.minAmountInSweepTx, walletPrecision),
        sweepBatchSize: wholeError(values.sweepBatchSize, MOST_ADDRESSES),
        sweepMaxWaitTimeInMinutes: wholeError(values.sweepMaxWaitTimeInMinutes, A_WEEK_MINUTES),
      }
      return Object.fromEntries(Object.entries(errors).filter(([, error]) => error !== undefined))
    },
    submit: async (values) => {
      const patch: AssetPatch = {
        ...(values.minBalanceForSweep !== initial.minBalanceForSweep && {
          minBalanceForSweep: values.minBalanceForSweep,
        }),
        ...(values.minAmountInSweepTx !== initial.minAmountInSweepTx && {
          minAmountInSweepTx: values.minAmountInSweepTx,
        }),
        ...(values.sweepBatchSize !== initial.sweepBatchSize && { sweepBatchSize: Number(values.sweepBatchSize) }),
        ...(values.sweepMaxWaitTimeInMinutes !== initial.sweepMaxWaitTimeInMinutes && {
          sweepMaxWaitTimeInMinutes: Number(values.sweepMaxWaitTimeInMinutes),
        }),
      }
      if (Object.keys(patch).length === 0) return onClose()
      setFailure(undefined)
      try {
        await change(asset, patch)
        toast.success(t`Automatic sweeping of ${currencyCode} saved`)
        onClose()
      } catch (thrown) {
        const { fields, text } = formFailure(thrown, Object.keys(initial))
        setFailure(text)
        return fields
      }
    },
  })
  return (
    <FormDialog
      title={t`Automatic sweeping`}
      save={t`Save`}
      sending={form.sending}
      failure={failure}
      onSubmit={form.onSubmit}
      onClose={onClose}
    >
      <p className="text-body text-muted">
        <Trans>
          A sweep starts by itself once enough is ready or has waited for long enough, and never when it would cost more
          than it is worth.
        </Trans>
      </p>
      <Select
        label={t`Asset`}
        value={keyOf(asset)}
        options={assets.map((one) => ({ value: keyOf(one), label: nameOf(one) }))}
        onChange={onChoose}
      />
      <AmountField
        {...form.field('minBalanceForSweep')}
        label={t`Smallest balance of an address`}
        currency={currencyCode}
        decimals={walletPrecision}
        hint={t`Addresses with less stay where they are. Empty: whatever is worth its fee.`}
      />
      <AmountField
        {...form.field('minAmountInSweepTx')}
        label={t`Smallest amount of a sweep`}
        currency={currencyCode}
        decimals={walletPrecision}
        hint={t`A sweep starts once so much is ready. Empty: the usual amount.`}
      />
      <NumberField
        {...form.field('sweepBatchSize')}
        label={t`Addresses per transaction`}
        min={1}
        max={MOST_ADDRESSES}
        hint={t`More addresses in one transaction cost less each.`}
      />
      <NumberField
        {...form.field('sweepMaxWaitTimeInMinutes')}
        label={t`Longest wait`}
        min={1}
        max={A_WEEK_MINUTES}
        unit={t`minutes`}
        hint={t`What is worth its fee is swept after this time, however little it is.`}
      />
    </FormDialog>
  )
}

function nameOf({ currencyCode, blockchainCode }: Asset): string {
  return t`${currencyCode} on ${networkName(blockchainCode)}`
}

function wholeError(text: string, max: number): string | undefined {
  const number = Number(text)
  return Number.isInteger(number) && number >= 1 && number <= max ? undefined : t`Enter a whole number from 1 to ${max}`
}
