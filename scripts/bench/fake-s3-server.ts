/**
 * The fault-injecting S3 server as a process of its own, so that it takes no processor time from the measured process.
 */
import { startFakeS3 } from '../../test/s3/fake-s3.ts';

const { endpoint } = await startFakeS3();
process.stdout.write(`${endpoint}\n`);
process.stdin.resume();
process.stdin.once('end', () => process.exit(0));
