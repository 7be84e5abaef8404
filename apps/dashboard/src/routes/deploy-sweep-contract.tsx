import { DeployContract } from '../features/wallets/deploying/DeployContract.tsx'

export function DeploySweepContractRoute() {
  return <DeployContract />
}
