import { prepareEmptyCluster } from '../support/data-dir.ts'

export default prepareEmptyCluster
