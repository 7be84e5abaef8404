import { PendingCollectors } from '../features/wallets/cards/PendingCollectors.tsx'
import { DeployContract } from '../features/wallets/deploying/DeployContract.tsx'

export function DeploySweepContractRoute() {
  return (
    <>
      <PendingCollectors />
      <DeployContract />
    </>
  )
}
