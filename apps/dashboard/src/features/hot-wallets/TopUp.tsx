import type { Wallet } from '@kassa/contract/wallets/schemas.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'

import { blockchainsQuery } from '../../api/blockchains.ts'
import { Button } from '../../ui/actions/Button.tsx'
import { Address } from '../../ui/facts/Address.tsx'
import { QRCode } from '../../ui/facts/QRCode.tsx'
import { Dialog } from '../../ui/overlays/Dialog.tsx'
import { listText } from '../../lib/text/list-text.ts'

/** The address of a hot wallet, to send coins to. */
export function TopUp({ wallet, onClose }: { wallet: Wallet; onClose: () => void }) {
  return (
    <Dialog
      title={t`Top up ${wallet.name}`}
      size={400}
      onClose={onClose}
      foot={
        <Button onClick={onClose}>
          <Trans>Close</Trans>
        </Button>
      }
    >
      <TopUpAddress wallet={wallet} />
    </Dialog>
  )
}

/** The QR code of a hot wallet with its whole address and the networks it is on. */
export function TopUpAddress({ wallet }: { wallet: Wallet }) {
  const { data: blockchains = [] } = useQuery(blockchainsQuery)
  const names = blockchains
    .filter(({ family, status }) => family === wallet.family && status === 'active')
    .map(({ name }) => name)
  const networks = listText(names)
  if (wallet.address === null) return null
  return (
    <div className="flex flex-col items-center gap-3">
      <QRCode value={wallet.address} label={t`the address of ${wallet.name}`} />
      <Address value={wallet.address} full />
      {names.length > 0 && (
        <p className="text-dense text-muted">
          <Trans>The same address on {networks}. Send only coins of these networks.</Trans>
        </p>
      )}
    </div>
  )
}
