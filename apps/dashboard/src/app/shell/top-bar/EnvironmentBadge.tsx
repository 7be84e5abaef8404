import { msg, t } from '@lingui/core/macro'

import { TONE_CHIP } from '../../../ui/feedback/tones.ts'

const TEXTS = {
  sandbox: {
    word: msg`Sandbox`,
    tone: 'progress',
    text: msg`Local test chains with test coins. Nothing here is real money. To go live, start the server on mainnet with its own database.`,
  },
  testnet: {
    word: msg`Testnet`,
    tone: 'warning',
    text: msg`Public test networks with coins of no value. To go live, start the server on mainnet with its own database.`,
  },
} as const

/** Says that the money here is not real; nothing is drawn on mainnet. */
export function EnvironmentBadge({ network }: { network: 'sandbox' | 'testnet' | 'mainnet' | undefined }) {
  if (network === undefined || network === 'mainnet') return null
  const { word, tone, text } = TEXTS[network]
  return (
    <div className="min-w-0">
      <button
        type="button"
        popoverTarget="environment"
        className={`block h-6 max-w-full truncate rounded-full border px-2.5 text-caption font-medium ${TONE_CHIP[tone]}`}
      >
        {t(word)}
      </button>
      <div
        id="environment"
        popover="auto"
        className="hangs hangs-end w-72 rounded-card border border-border bg-raised p-4 text-ink shadow-menu"
      >
        <p className="font-medium">{t(word)}</p>
        <p className="mt-1 text-dense text-muted">{t(text)}</p>
      </div>
    </div>
  )
}
