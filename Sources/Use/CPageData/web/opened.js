// Archives that are read as files. The state of an archive is dropped as a whole when the archive turns out to be replaced.
import { BlockAnswers } from "./blocks.js";
import { FileChanged, Kept } from "./bytes.js";
import { FolderFiles, PMTilesFiles } from "./files.js";

/** For so many milliseconds after a check of the archive, the answer that something does not exist is trusted. */
const believed = 30000;

class Opened {
    constructor(make) {
        this.make = make;
        this.isDoubted = false;
        this.drop(false);
    }

    drop(isFresh = true) {
        this.answers = new BlockAnswers(this.make(isFresh));
        this.looked = Date.now();
    }

    /** An answer. If it is doubtful and the archive has been replaced, the question is repeated. */
    async ask(question) {
        if (this.isDoubted || this.looking) await this.look();
        const { answers } = this;
        try {
            const answer = await question(answers);
            const isOld = answer === null && Date.now() - this.looked > believed;
            if (!isOld || await this.isStill(answers)) return answer;
        } catch (error) {
            if (error.name === "AbortError") throw error;
            if (error instanceof FileChanged && this.answers === answers) this.drop();
            if (await this.isStill(answers)) throw error;
        }
        return question(this.answers);
    }

    async isStill(answers) {
        if (this.answers === answers) await this.look();
        return this.answers === answers;
    }

    /** Checks whether the archive was replaced, and then drops its state. Questions at the same time share one check. */
    look() {
        this.looking ??= this.lookOnce().finally(() => { this.looking = undefined; });
        return this.looking;
    }

    async lookOnce() {
        const { answers } = this;
        this.isDoubted = false;
        // A check that fails does not mean that the archive was replaced.
        const isSame = await answers.files.isSame().catch(() => true);
        this.looked = Date.now();
        if (!isSame && this.answers === answers) this.drop();
    }
}

const openedArchives = new Kept(16);

/** The archive at an address, with one state for the whole page. If it is doubted, it is checked before the next answer. */
export function openedAt(address, { clusters, isDoubted = false } = {}) {
    const Files = address.kind === "pmtiles" ? PMTilesFiles : FolderFiles;
    const key = JSON.stringify([address.kind, address.path, address.query, clusters]);
    const opened = openedArchives.get(key, async () => new Opened((isFresh) => new Files(address, { clusters, isFresh })));
    return opened.then((one) => {
        one.isDoubted ||= isDoubted;
        return one;
    });
}
