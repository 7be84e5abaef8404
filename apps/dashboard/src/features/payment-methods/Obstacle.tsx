import type { PaymentMethod } from '../../api/payment-methods.ts'
import { assetObstacle } from './asset-obstacle.ts'
import { paths } from '../../lib/paths.ts'
import { TextLink } from '../../ui/actions/TextLink.tsx'

/** Why customers cannot pay this way, also when it is switched on here, with a link to where that is fixed. */
export function NetworkObstacle({ method }: { method: PaymentMethod | undefined }) {
  if (method?.fixedAt !== 'network') return null
  return <Reason href={paths.blockchain({ code: method.blockchainCode })} text={assetObstacle(method)} />
}

/** Why customers of one project cannot pay this way although it accepts it. */
export function WalletObstacle({ method }: { method: PaymentMethod | undefined }) {
  if (method?.fixedAt !== 'wallet' || !method.accepted) return null
  return <Reason href={paths.depositWallets()} text={assetObstacle(method)} />
}

function Reason({ href, text }: { href: string; text: string | undefined }) {
  return (
    <span className="block text-caption font-normal">
      <TextLink href={href}>{text}</TextLink>
    </span>
  )
}
