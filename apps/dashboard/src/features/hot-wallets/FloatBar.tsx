import type { Wallet } from '@kassa/contract/wallets/schemas.ts'
import { t } from '@lingui/core/macro'

import { usd } from '../../lib/text/format.ts'
import type { Float } from './hot-words.ts'

/** How full a hot wallet is, beside its limit. */
export function FloatBar({ wallet, float }: { wallet: Wallet; float: Float }) {
  const limit = usd(wallet.floatLimitInUSD ?? '0')
  const now = usd(float.now)
  const excess = float.excess === null ? null : usd(float.excess)
  return (
    <div className="min-w-36">
      <div className="flex flex-wrap justify-between gap-x-3 text-dense tabular-nums">
        <span>{now}</span>
        <span className="text-muted">{t`of ${limit}`}</span>
      </div>
      <div
        role="meter"
        aria-label={t`Float of ${wallet.name}`}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round(float.share * 100)}
        aria-valuetext={t`${now} of ${limit}`}
        className="mt-1 h-1.5 overflow-hidden rounded-chip bg-sunken"
      >
        <div
          className={`h-full ${excess === null ? 'bg-accent-text' : 'bg-warning-solid'}`}
          style={{ inlineSize: `${float.share * 100}%` }}
        />
      </div>
      {excess !== null && <p className="mt-1 text-caption text-warning-text">{t`Over its limit by ${excess}`}</p>}
      {float.isStale && <p className="mt-1 text-caption text-muted">{t`No node answered: last known`}</p>}
    </div>
  )
}
