// SPDX-License-Identifier: AGPL-3.0-only
pragma solidity 0.8.37;

import {KassaFactory} from "../src/sweep/kassa-factory.sol";

/// The commands of forge that the tests use.
interface Cheats {
    function prank(address caller) external;
    function startPrank(address caller) external;
    function stopPrank() external;
    function etch(address target, bytes calldata code) external;
    function deal(address target, uint256 balance) external;
    function warp(uint256 time) external;
    function assume(bool condition) external pure;
    function expectRevert() external;
    function expectRevert(bytes4 selector) external;
    function recordLogs() external;
    function getRecordedLogs() external returns (Log[] memory);
    function envBytes(string calldata name) external view returns (bytes memory);
}

struct Log {
    bytes32[] topics;
    bytes data;
    address emitter;
}

Cheats constant vm = Cheats(address(uint160(uint256(keccak256("hevm cheat code")))));

/// Creates the factory of the bytecode that is committed, or of a mutant: scripts/forge.ts hands it over. The sources
/// are compiled here for their types only.
function newFactory() returns (KassaFactory factory) {
    bytes memory code = vm.envBytes("KASSA_FACTORY_CODE");
    assembly {
        factory := create(0, add(code, 32), mload(code))
    }
    require(address(factory) != address(0), "the factory was not created");
}

/// A batch of one item.
function one(uint256 id, uint256 amount) pure returns (uint256[] memory items) {
    items = new uint256[](1);
    items[0] = id << 96 | amount;
}

function ofAccount(address account, uint256 amount) pure returns (uint256[] memory) {
    return one(uint160(account), amount);
}
