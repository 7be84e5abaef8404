import { WalletConnect } from '../features/wallet-connect/WalletConnect.tsx'

export function WalletConnectRoute() {
  return <WalletConnect />
}
