import { testPayingSeeds, testSeeds } from './seeds.ts'

testSeeds(61, 81)
testPayingSeeds(6000)
