import { testPayingSeeds, testSeeds } from './seeds.ts'

testSeeds(61, 81)
testPayingSeeds(6001, 6002, 6003, 6020, 6030, 6032)
