import { facadeRooms, rooms } from './scripts/rooms.mjs'

const test = '[.]test(-d)?[.]ts$'
const door = '/(index|internal)[.]ts$'

// kinds has one door per API group version instead of an index: importing one kind must not load the others.
const kindDoor = '^src/kinds/.+[.]ts$'

const roomRule = ([room, allowed]) => ({
  name: `room-${room}`,
  severity: 'error',
  from: { path: `^src/${room}/`, pathNot: test },
  to: { path: '^src/', pathNot: `^src/(${[room, ...allowed].join('|')})/` },
})

export default {
  forbidden: [
    {
      name: 'no-value-cycle',
      severity: 'error',
      from: { path: '^src/' },
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'use-the-door',
      severity: 'error',
      from: { path: '^src/([^/]+)/', pathNot: test },
      to: { path: '^src/[^/]+/', pathNot: ['^src/$1/', door, kindDoor] },
    },
    {
      name: 'facade-is-a-list',
      severity: 'error',
      from: { path: '^src/index[.]ts$' },
      to: { path: '^src/', pathNot: `^src/(${facadeRooms.join('|')})/index[.]ts$` },
    },
    {
      name: 'examples-import-by-name',
      severity: 'error',
      from: { path: '^examples/' },
      to: { path: '^(src|test|scripts)/', dependencyTypes: ['local'] },
    },
    {
      name: 'child-processes-have-three-homes',
      severity: 'error',
      from: {
        path: '^src/',
        pathNot: ['^src/client/auth/', '^src/testing/control-plane/', '^src/cli/', test],
      },
      to: { path: '^(node:)?child_process$' },
    },
    {
      name: 'no-undeclared-package',
      severity: 'error',
      from: { path: '^src/', pathNot: test },
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'unknown', 'undetermined'] },
    },
    ...Object.entries(rooms).map(roomRule),
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      conditionNames: ['kubewright-source', 'import', 'node', 'types'],
      exportsFields: ['exports'],
    },
    doNotFollow: { path: 'node_modules' },
  },
}
