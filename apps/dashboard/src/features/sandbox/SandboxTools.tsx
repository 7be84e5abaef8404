import type { PaymentDetail } from '@kassa/contract/payments/schemas.ts'
import { PAY_CASES } from '@kassa/contract/sandbox/schemas.ts'
import type { PayCase } from '@kassa/contract/sandbox/schemas.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { ChevronDown, FlaskConical } from 'lucide-react'
import { useId } from 'react'

import { useCan } from '../../api/me.ts'
import { configurationQuery } from '../../api/configuration.ts'
import { useIsNarrow } from '../../lib/device/media.ts'
import { Button } from '../../ui/actions/Button.tsx'
import { Menu } from '../../ui/actions/Menu.tsx'
import type { MenuItem } from '../../ui/actions/Menu.tsx'
import { CASE_LABELS, cannotPay, cannotReorganise } from './sandbox-rules.ts'
import { useSandboxRun } from './useSandboxRun.ts'

/** What a sandbox lets an operator do to a payment: pay it as its customer would, mine, take blocks back. */
export function SandboxTools({ payment, prominent = true }: { payment: PaymentDetail; prominent?: boolean }) {
  const { data: configuration } = useQuery(configurationQuery)
  const can = useCan()
  const { isRunning, failure, pay, mine, takeBack } = useSandboxRun(payment)
  const isNarrow = useIsNarrow()
  const [payMenuId, chainMenuId] = [useId(), useId()]
  if (configuration?.features.sandbox !== true || !can('sandbox:use')) return null

  const payOff = cannotPay(payment)
  const chain = payment.blockchainSymbol
  const cases: MenuItem[] = PAY_CASES.map((payCase: PayCase) => ({
    label: t(CASE_LABELS[payCase]),
    onSelect: () => void pay(payCase),
  }))
  const chainOff = chain === null ? t`No network is chosen yet.` : undefined
  const chainItems: MenuItem[] = [
    { label: t`Mine a block`, onSelect: () => void mine(1) },
    { label: t`Mine 12 blocks`, onSelect: () => void mine(12) },
    {
      label: t`Reorganise the chain`,
      onSelect: () => void takeBack(),
      offReason: chainOff === undefined ? cannotReorganise(payment) : undefined,
      divided: true,
    },
  ]
  const payItems = payOff === undefined ? cases : [{ label: t`Pay as a customer`, offReason: payOff }]
  const furtherItems = chainItems.map((item, at) => ({
    ...item,
    divided: at === 0,
    offReason: chainOff ?? item.offReason,
  }))
  return (
    <>
      {failure !== undefined && (
        <p role="alert" className="w-full text-dense text-danger-text">
          {failure}
        </p>
      )}
      <Button
        kind={prominent && payOff === undefined ? 'primary' : 'secondary'}
        popoverTarget={payMenuId}
        loading={isRunning}
      >
        <Trans>Pay as a customer</Trans>
        <ChevronDown aria-hidden size={16} strokeWidth={1.75} />
      </Button>
      {isNarrow ? (
        // A phone has room for one of them beside the actions of the payment.
        <Menu id={payMenuId} label={t`Pay as a customer`} items={[...payItems, ...furtherItems]} />
      ) : (
        <>
          <Menu id={payMenuId} label={t`Pay as a customer`} items={cases} offReason={payOff} />
          <Button kind="quiet" popoverTarget={chainMenuId} icon={<FlaskConical strokeWidth={1.75} />}>
            <Trans comment="the local blockchain of the sandbox">Chain</Trans>
            <ChevronDown aria-hidden size={16} strokeWidth={1.75} />
          </Button>
          <Menu id={chainMenuId} label={t`Local chain`} items={chainItems} offReason={chainOff} />
        </>
      )}
    </>
  )
}
