import { msg } from '@lingui/core/macro'

import { paths } from '../lib/paths.ts'
import { type Page, page } from './page.ts'

/** The pages of the referral programme. */
export const GROWTH_PAGES: readonly Page[] = [
  page({
    path: paths.growth,
    layout: 'shell',
    title: msg`Growth dashboard`,
    permission: 'referral:read',
    nav: { entry: 'growth', leaf: 'growth/analytics', label: msg`Dashboard` },
    load: () => import('../routes/growth.tsx'),
    budget: 33,
  }),
  page({
    path: paths.promoter,
    layout: 'shell',
    title: msg`Promoter`,
    permission: 'referral:read',
    nav: { entry: 'growth' },
    load: () => import('../routes/promoter.tsx'),
    budget: 31,
  }),
  page({
    path: paths.campaigns,
    layout: 'shell',
    title: msg`Campaigns`,
    permission: 'referral:read',
    nav: { entry: 'growth', leaf: 'growth/campaigns' },
    load: () => import('../routes/campaigns.tsx'),
    budget: 24,
  }),
  page({
    path: paths.newCampaign,
    layout: 'shell',
    title: msg`New campaign`,
    permission: 'referral:write',
    nav: { entry: 'growth' },
    command: msg`New campaign`,
    load: () => import('../routes/new-campaign.tsx'),
    budget: 26,
  }),
  page({
    path: paths.editCampaign,
    layout: 'shell',
    title: msg`Edit campaign`,
    permission: 'referral:write',
    nav: { entry: 'growth' },
    load: () => import('../routes/edit-campaign.tsx'),
    budget: 26,
  }),
  page({
    path: paths.campaign,
    layout: 'shell',
    title: msg`Campaign`,
    permission: 'referral:read',
    nav: { entry: 'growth' },
    load: () => import('../routes/campaign.tsx'),
    budget: 25,
  }),
]
