import { coldWalletsRoutes } from '@kassa/contract/wallets/cold-routes.ts'
import { hotWalletsRoutes } from '@kassa/contract/wallets/hot-routes.ts'
import { walletsRoutes } from '@kassa/contract/wallets/routes.ts'

import { serve } from '../../http/handlers.ts'
import type { Module } from '../../module.ts'
import { authenticateFormerKeys } from './sources/authenticity.ts'
import { mailColdWalletJob } from './cold/service.ts'
import { applyDueLinksJob } from './linking/jobs.ts'
import { mailAddressesAddedJob } from './linking/mail-addresses-added.ts'
import { mailWalletReplacedJob } from './linking/mail-replaced.ts'
import { fillPoolJob } from './pool.ts'
import {
  coldWalletsHandlers,
  describeAddColdWallet,
  describeAddHotWallet,
  describeLinkWallets,
  hotWalletsHandlers,
  walletsHandlers,
} from './routes.ts'

export const wallets: Module = {
  name: 'wallets',
  routes: [
    serve(walletsRoutes, walletsHandlers, { describers: { linkWallets: describeLinkWallets } }),
    serve(hotWalletsRoutes, hotWalletsHandlers, { describers: { addHotWallet: describeAddHotWallet } }),
    serve(coldWalletsRoutes, coldWalletsHandlers, { describers: { addColdWallet: describeAddColdWallet } }),
  ],
  jobs: [fillPoolJob, mailColdWalletJob, mailWalletReplacedJob, mailAddressesAddedJob, applyDueLinksJob],
  prepare: authenticateFormerKeys,
}
