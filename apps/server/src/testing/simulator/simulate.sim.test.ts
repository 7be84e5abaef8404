import { testSeeds } from './seeds.ts'

testSeeds(1, 26, 51, 76)
