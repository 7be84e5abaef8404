import type { BalanceRow, SweepPlan } from '@kassa/contract/sweeps/schemas.ts'
import { plural, t } from '@lingui/core/macro'
import { useEffect, useState } from 'react'

import { asRequestError } from '../../../api/request-error.ts'
import { useSweepChanges } from '../../../api/sweeps.ts'
import { networkName } from '../../../labels/networks/network-name.ts'
import { assetAmount, usd } from '../../../lib/text/format.ts'
import { Address } from '../../../ui/facts/Address.tsx'
import { Amount } from '../../../ui/facts/Amount.tsx'
import { KeyValue } from '../../../ui/facts/KeyValue.tsx'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { LoadingText, Skeleton } from '../../../ui/feedback/Skeleton.tsx'
import { toast } from '../../../ui/feedback/toast.ts'
import { ConfirmDialog } from '../../../ui/overlays/ConfirmDialog.tsx'
import { amountOf, sumPlans } from './plan-sums.ts'

/** Asks before money moves: how much, at what price, and to which address, unshortened. A plan that is too old is made again. */
export function SweepDialog({ rows, onClose }: { rows: readonly BalanceRow[]; onClose: () => void }) {
  const { plans, note, failure, confirm } = useConfirmedPlans(rows, onClose)
  const addresses = plans === undefined ? 0 : sumPlans(plans, rows).addresses
  const offReason = plans === undefined || addresses > 0 ? undefined : t`Nothing is ready any more.`
  return (
    <ConfirmDialog
      title={t`Sweep to your cold wallet?`}
      action={plural(addresses, { 0: 'Sweep', one: 'Sweep # address', other: 'Sweep # addresses' })}
      danger={false}
      offReason={offReason}
      failure={failure}
      onConfirm={confirm}
      onClose={onClose}
    >
      <div className="flex flex-col gap-4">
        {note !== undefined && <Banner tone="info">{note}</Banner>}
        {plans === undefined && failure === undefined && <Planning />}
        {plans?.map((plan) => (
          <Review key={plan.planID} plan={plan} rows={rows} />
        ))}
        {plans !== undefined && (
          <p className="text-dense text-muted">
            {rows.every(({ path }) => path === 'device')
              ? t`The server has no key of these coins: a device with the seed of the wallet signs what is planned here.`
              : t`The contract knows where the money goes; neither this page nor the server can change that.`}
          </p>
        )}
      </div>
    </ConfirmDialog>
  )
}

type Confirmed = {
  readonly plans: readonly SweepPlan[] | undefined
  readonly note: string | undefined
  readonly failure: string | undefined
  readonly confirm: () => Promise<void>
}

/** The plans that are confirmed are made when the question is asked, so that its price is the one that counts. */
function useConfirmedPlans(rows: readonly BalanceRow[], onClose: () => void): Confirmed {
  const { plan, start } = useSweepChanges()
  const [plans, setPlans] = useState<readonly SweepPlan[]>()
  const [note, setNote] = useState<string>()
  const [failure, setFailure] = useState<string>()

  const ask = async (which: readonly BalanceRow[]) => {
    try {
      const made = await Promise.all(which.map((row) => plan(row)))
      setPlans(made.filter(({ batches }) => batches.length > 0))
    } catch (thrown) {
      setFailure(asRequestError(thrown).message)
    }
  }

  useEffect(() => {
    void ask(rows)
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- it is planned when the question is asked, and again when a plan is refused
  }, [])

  const confirm = async () => {
    if (plans === undefined) return
    setNote(undefined)
    setFailure(undefined)
    let started = 0
    for (const [at, one] of plans.entries()) {
      try {
        // oxlint-disable-next-line no-await-in-loop -- each may ask who one is, and uses up the same hot wallet
        started += (await start(one.planID)).sweeps.length
      } catch (thrown) {
        const error = asRequestError(thrown)
        const rest = plans.slice(at)
        setPlans(rest)
        if (error.code !== 'SWEEP_PLAN_EXPIRED') return setFailure(failureText(started, error.message))
        setNote(t`The plan was too old. It was made again: look at the new price.`)
        // oxlint-disable-next-line no-await-in-loop -- the loop ends here
        await ask(rows.filter((row) => rest.some((left) => isOf(left, row))))
        return
      }
    }
    toast.success(plural(started, { one: '# sweep started', other: '# sweeps started' }))
    onClose()
  }
  return { plans, note, failure, confirm }
}

function failureText(started: number, message: string): string {
  if (started === 0) return message
  const done = plural(started, { one: '# sweep started.', other: '# sweeps started.' })
  return t`${done} The rest did not: ${message}`
}

function isOf(plan: SweepPlan, row: BalanceRow): boolean {
  return plan.blockchainCode === row.blockchainCode && plan.currencyCode === row.currencyCode
}

function Planning() {
  return (
    <>
      <Skeleton height={96} />
      <LoadingText text={t`Working out the price`} />
    </>
  )
}

function Review({ plan, rows }: { plan: SweepPlan; rows: readonly BalanceRow[] }) {
  const { batches, currencyCode, blockchainCode, feeCurrency } = plan
  const { addresses, transactions, value, fee, feePercent } = sumPlans([plan], rows)
  const network = networkName(blockchainCode)
  const ends = [...new Set(batches.map((batch) => batch.fundCollectorAddress))]
  const nameOf = (end: string) => rows.find((row) => row.fundCollectorAddress === end)?.coldWalletName ?? undefined
  const gas = batches.map((batch) => assetAmount(batch.estimatedFee, feeCurrency)).join(' + ')
  return (
    <section aria-label={t`${currencyCode} on ${network}`}>
      <h3 className="text-body font-semibold">{t`${currencyCode} on ${network}`}</h3>
      <KeyValue
        rows={[
          {
            label: t`Amount`,
            value: <Amount value={amountOf(plan)} currency={currencyCode} usd={value} full />,
          },
          {
            label: t`From`,
            value: t`${plural(addresses, { one: '# address', other: '# addresses' })}, ${plural(transactions, { one: '# transaction', other: '# transactions' })}`,
          },
          {
            label: t`Network fee`,
            value: fee === undefined ? t`about ${gas}` : t`about ${usd(fee)} (${feePercent ?? '0'}%)`,
          },
          {
            label: t`To`,
            value: (
              <ul className="flex flex-col gap-2">
                {ends.map((end) => (
                  <li key={end}>
                    <span className="block font-medium">{nameOf(end)}</span>
                    <Address value={end} full />
                  </li>
                ))}
              </ul>
            ),
          },
        ]}
      />
    </section>
  )
}
