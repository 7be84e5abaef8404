import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { ShieldCheck } from 'lucide-react'

/** Says plainly whose key could move what customers paid, and what someone who takes this server over could do. */
export function TransferPermissions() {
  return (
    <section
      aria-label={t`Who can move this money`}
      className="flex gap-3 rounded-card bg-sunken px-4 py-3.5 text-body"
    >
      <ShieldCheck aria-hidden size={18} strokeWidth={1.75} className="mt-0.5 shrink-0 text-success-solid" />
      <div>
        <p className="font-medium">
          <Trans>Who can move this money</Trans>
        </p>
        <p className="mt-0.5 text-muted">
          <Trans>
            Only the holder of the recovery phrase of the wallet. This server has its public key alone: it can make and
            watch addresses, never spend from them. Keep that key private all the same: it shows every address of yours.
          </Trans>
        </p>
      </div>
    </section>
  )
}
