import { contractAddressesRoutes } from '@kassa/contract/sweep-contracts/address-routes.ts'
import { contractCallRoutes } from '@kassa/contract/sweep-contracts/wallet-routes.ts'
import { sweepContractsRoutes } from '@kassa/contract/sweep-contracts/routes.ts'
import { contractWalletsRoutes } from '@kassa/contract/wallets/contract-routes.ts'

import { serve } from '../../http/handlers.ts'
import type { Module } from '../../module.ts'
import { watchContractsJob } from './jobs.ts'
import { mailProposalJob } from './note-state.ts'
import {
  contractAddressesHandlers,
  contractCallHandlers,
  contractWalletsHandlers,
  describeChangeContractAddress,
  describeContractFacts,
  describeRecordCollector,
  describeRegisterContractAddress,
  sweepContractsHandlers,
} from './routes.ts'

export const sweepContracts: Module = {
  name: 'sweep-contracts',
  routes: [
    serve(sweepContractsRoutes, sweepContractsHandlers, {
      describers: { addContract: describeContractFacts, changeContract: async () => null },
    }),
    serve(contractAddressesRoutes, contractAddressesHandlers, {
      describers: {
        registerContractAddress: describeRegisterContractAddress,
        changeContractAddress: describeChangeContractAddress,
      },
    }),
    serve(contractCallRoutes, contractCallHandlers),
    serve(contractWalletsRoutes, contractWalletsHandlers, {
      describers: { recordCollector: describeRecordCollector },
    }),
  ],
  jobs: [watchContractsJob, mailProposalJob],
}
