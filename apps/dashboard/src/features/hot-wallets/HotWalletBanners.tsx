import type { Wallet, WalletBalance } from '@kassa/contract/wallets/schemas.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'

import { useCan } from '../../api/me.ts'
import { alarmsQuery } from '../../api/system.ts'
import { vaultsQuery } from '../../api/vaults.ts'
import { networkName } from '../../labels/networks/network-name.ts'
import { paths } from '../../lib/paths.ts'
import { assetAmount, usd } from '../../lib/text/format.ts'
import { Button } from '../../ui/actions/Button.tsx'
import { LinkButton } from '../../ui/actions/LinkButton.tsx'
import { Banner } from '../../ui/feedback/Banner.tsx'
import { excessOf, floatOf, lacksOf } from './hot-words.ts'

type Props = {
  readonly wallets: readonly Wallet[]
  readonly balances: readonly WalletBalance[] | undefined
  /** Absent where its address is shown anyway. */
  readonly onTopUp?: (wallet: Wallet) => void
}

/** What keeps hot wallets from working, or puts more at risk than was meant. */
export function HotWalletBanners({ wallets, balances, onTopUp }: Props) {
  const can = useCan()
  const { data: vaults = [] } = useQuery({ ...vaultsQuery, enabled: can('vault:read') && wallets.length > 0 })
  const isLocked = vaults.some(({ status, secretCount }) => status === 'locked' && secretCount > 0)
  const over = wallets.flatMap(({ id, name, ...wallet }) => {
    const excess = floatOf({ id, name, ...wallet }, balances)?.excess
    return excess ? [{ id, name, excess: usd(excess), move: excessOf({ id, name, ...wallet }, balances) }] : []
  })
  const { data: alarms = [] } = useQuery({ ...alarmsQuery, enabled: can('system:read') && wallets.length > 0 })
  const lacks = lacksOf(wallets, alarms)
  if (!isLocked && over.length === 0 && lacks.length === 0) return null
  return (
    <div className="mb-4 flex flex-col gap-3">
      {isLocked && (
        <Banner
          tone="danger"
          action={
            <LinkButton size="small" href={paths.vault()}>
              <Trans>Unlock</Trans>
            </LinkButton>
          }
        >
          <Trans>A vault is locked. Sending waits.</Trans>
        </Banner>
      )}
      {lacks.map(({ wallet, blockchainCode, amount, currencyCode }) => (
        <Banner
          key={`${wallet.id} ${blockchainCode}`}
          tone="warning"
          action={onTopUp && <Button size="small" onClick={() => onTopUp(wallet)}>{t`Top up`}</Button>}
        >
          {waitText(wallet.name, networkName(blockchainCode), assetAmount(amount, currencyCode))}
        </Banner>
      ))}
      {over.map(({ id, name, excess, move }) => (
        <Banner
          key={id}
          tone="warning"
          action={
            move !== undefined &&
            can('payout:create') && (
              <LinkButton size="small" href={paths.newPayout({ currency: move.currencyCode, amount: move.amount })}>
                {t`Move ${assetAmount(move.amount, move.currencyCode)}`}
              </LinkButton>
            )
          }
        >
          <Trans>
            “{name}” is over its limit by {excess}. Move the excess to a cold wallet of yours: pay it out to a recipient
            with its address.
          </Trans>
        </Banner>
      ))}
    </div>
  )
}

function waitText(name: string, network: string, amount: string): string {
  return t`“${name}”: sweeps and payouts on ${network} wait until about ${amount} arrive.`
}
