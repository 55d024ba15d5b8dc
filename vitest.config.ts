import { defineConfig } from 'vitest/config'

const resolve = { conditions: ['kubewright-source'] }
const ssr = { resolve: { conditions: ['kubewright-source', 'node', 'import', 'module', 'default'] } }

// Levels, weakest first: a test lives at the least powerful level that can fail for the reason it fears.
export default defineConfig({
  test: {
    projects: [
      // No control plane, no network beyond loopback.
      { resolve, ssr, test: { name: 'unit', include: ['src/**/*.test.ts'] } },
      { resolve, ssr, test: { name: 'faults', include: ['test/faults/**/*.test.ts'], testTimeout: 20_000 } },
      { resolve, ssr, test: { name: 'docs', include: ['test/docs/**/*.test.ts'] } },
      // A real kube-apiserver, started once for the whole run.
      {
        resolve,
        ssr,
        test: {
          name: 'scenarios',
          include: ['test/scenarios/**/*.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      // The packed tarball, as users get it.
      {
        test: {
          name: 'package',
          include: ['test/package/**/*.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 240_000,
        },
      },
    ],
  },
})
